export { loadProphetRuntime } from './prophet-runtime.ts';
