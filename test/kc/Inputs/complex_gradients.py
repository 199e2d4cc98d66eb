"""The functions of complex-gradients.mlir in JAX, and their gradients df/dre + i df/dim: those of JAX, conjugated."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def norm(a, b):
    return jnp.sum(jnp.abs(a @ b) ** 2)


def oscillator(z, damping, frequency, steps=20):
    step = jnp.exp((-damping + 1j * frequency) / 10)
    path = z * step ** jnp.arange(1, steps + 1)
    return jnp.sum(path.real) + jnp.abs(path[-1])


def spectrum(x, w):
    return jnp.sum(w * jnp.abs(jnp.fft.fft(x)) ** 2)


a = jnp.array([[0.3 + 1.1j, -0.7 + 0.9j], [1.3 + 0.4j, 0.2 - 0.6j]])
b = jnp.array([[0.8 - 0.2j, 0.5 + 0.7j], [-0.9 + 0.1j, 1.2 + 0.6j]])
x = jnp.array([1, 0.5 - 0.5j, -0.2 + 0.7j, 0.1 + 0.3j, 0.9 - 0.4j, 0.25 + 0.6j, -0.8 + 0.1j, 0.05 - 0.3j])
w = jnp.array([1, 0.5, 0.25, 2, 0, 1.5, 0.125, 3])

for f, args in [(norm, (a, b)), (oscillator, (1 + 0.5j, 0.3, 2.0)), (spectrum, (x, w))]:
    print(f.__name__)
    for gradient in jax.grad(f, argnums=tuple(range(len(args))))(*args):
        print(gradient.conj())

# The product of the Hessian of `norm` with a direction, on real and imaginary parts.
gradient = jax.grad(lambda a, b: norm(a[0] + 1j * a[1], b[0] + 1j * b[1]), argnums=(0, 1))
da, db = jnp.array([[1, 1j], [0.5, 0]]), jnp.array([[0, 1 + 1j], [0, -1j]])
parts = lambda value: jnp.stack([value.real, value.imag])
_, product = jax.jvp(gradient, (parts(a), parts(b)), (parts(da), parts(db)))
print("product")
for part in product:
    print(part[0] + 1j * part[1])
