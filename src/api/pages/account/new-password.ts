export const NEW_PASSWORD_HINT = 'At least 10 characters. Three or four random words are easy to keep in mind.';
