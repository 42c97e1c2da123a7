export { createBundledProvider } from './bundled-provider.ts';
export { describeBundledInstrument } from './describe-instrument.ts';
