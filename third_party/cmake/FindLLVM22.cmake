# Finds the pinned LLVM and MLIR (third_party/LLVM_VERSION).
#
# Looks in LLVM22_ROOT, then in the environment variable LLVM_SYS_221_PREFIX, then where Debian puts it. Sets
#   LLVM22_FOUND     whether both are there, in the right version
#   LLVM22_PREFIX    the root of the installation
#   LLVM22_VERSION   its full version
#   LLVM22_LIT       lit
#   LLVM22_FILECHECK FileCheck

file(READ "${CMAKE_CURRENT_LIST_DIR}/../LLVM_VERSION" _llvm_major)
string(STRIP "${_llvm_major}" _llvm_major)

set(_llvm_hints "${LLVM22_ROOT}" "$ENV{LLVM_SYS_221_PREFIX}" "/usr/lib/llvm-${_llvm_major}")

find_path(LLVM22_PREFIX NAMES bin/llvm-config
          HINTS ${_llvm_hints} NO_DEFAULT_PATH DOC "root of LLVM ${_llvm_major}")
if(LLVM22_PREFIX)
  execute_process(COMMAND "${LLVM22_PREFIX}/bin/llvm-config" --version
                  OUTPUT_VARIABLE LLVM22_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_path(LLVM22_MLIR_INCLUDE NAMES mlir-c/IR.h
          HINTS "${LLVM22_PREFIX}/include" NO_DEFAULT_PATH DOC "MLIR's C interface")
find_program(LLVM22_FILECHECK NAMES FileCheck HINTS "${LLVM22_PREFIX}/bin" NO_DEFAULT_PATH)
find_program(LLVM22_LIT NAMES lit lit-${_llvm_major} HINTS "${LLVM22_PREFIX}/bin")

if(LLVM22_VERSION AND NOT LLVM22_VERSION MATCHES "^${_llvm_major}\\.")
  message(STATUS "LLVM in ${LLVM22_PREFIX} is ${LLVM22_VERSION}, but ${_llvm_major} is wanted")
  set(LLVM22_PREFIX "LLVM22_PREFIX-NOTFOUND")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVM22
  REQUIRED_VARS LLVM22_PREFIX LLVM22_MLIR_INCLUDE LLVM22_FILECHECK LLVM22_LIT
  VERSION_VAR LLVM22_VERSION
  REASON_FAILURE_MESSAGE "install Debian's packages by 'cargo xtask setup', or set LLVM22_ROOT")
mark_as_advanced(LLVM22_PREFIX LLVM22_MLIR_INCLUDE LLVM22_FILECHECK LLVM22_LIT)
