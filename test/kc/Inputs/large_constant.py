"""Writes a function that returns an element of a constant of 600 numbers."""

numbers = ", ".join(f"{number}.5" for number in range(600))
print(
    f"""func.func @at(%i: index) -> f64 {{
  %c = arith.constant dense<[{numbers}]> : tensor<600xf64>
  %e = tensor.extract %c[%i] : tensor<600xf64>
  return %e : f64
}}"""
)
