// The back-off's jitter is all that makes these tests slow: here chance is small.
export function hurry(): void {
  const random = Math.random;
  Math.random = () => random() / 50;
}
