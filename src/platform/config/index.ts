export { isLoopback } from './checks.ts';
export { type Config, ConfigError, loadConfig, unknownSettings } from './load-config.ts';
export { SETTINGS } from './settings.ts';
