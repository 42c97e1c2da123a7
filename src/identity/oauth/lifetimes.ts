/** How long things last, in seconds. */
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

export const ACCESS_TOKEN_SECONDS = 15 * MINUTE;
export const CODE_SECONDS = MINUTE;
/** Of one refresh token; each use gives a new one. What is not used for so long ends. */
export const REFRESH_TOKEN_SECONDS = 30 * DAY;
export const INTERACTION_SECONDS = 60 * MINUTE;
export const PROVIDER_SESSION_SECONDS = 14 * DAY;

/** Of a grant until there is a token under it: a refresh token keeps it as long as it lasts itself. */
export const NEW_GRANT_SECONDS = 60 * MINUTE;
/** Of a grant without refresh tokens to an application of the web: so long it is not asked for again in this browser. */
export const WEB_GRANT_SECONDS = PROVIDER_SESSION_SECONDS;

/** For clocks of several machines. */
export const CLOCK_TOLERANCE_SECONDS = 5;
