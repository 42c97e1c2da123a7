/** Where the description of this site as a protected resource is (RFC 9728). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
