export { isLoopback, isSafeWebAddress } from './checks.ts';
export type { IssuerSettings } from './issuers.ts';
export { type Config, ConfigError, loadConfig, unknownSettings } from './load-config.ts';
export type { SmtpServer } from './mail.ts';
export { SETTINGS } from './settings.ts';
export type { ListenAddress } from './telemetry.ts';
