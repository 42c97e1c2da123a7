export { type PreparedSave, prepareSave } from './prepare-save.ts';
export { PROOF_LIFETIME_MS, removeOldProofs } from './proof.ts';
export { type SavedForecast, saveForecast } from './save-forecast.ts';
