/** The error for an invalid setting. Its message is one line that names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
