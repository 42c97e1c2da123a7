/** A secret, or a function that returns the one that is in use now, for a secret that can change while the service runs. */
export type SecretValue = string | (() => string);

export function revealSecret(value: SecretValue): string {
  return typeof value === 'string' ? value : value();
}
