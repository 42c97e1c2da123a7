/**
 * The version of everything that makes the digits of a forecast: models, pooling, weighting, calibration. To be raised
 * with any change that can move one; it is the checkpoint of the statistical models, and part of the fingerprint.
 */
export const ENGINE_VERSION = '2';
