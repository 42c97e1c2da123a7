/** A headless browser over real HTTP: it keeps cookies by their paths and answers the consent page. */
export interface OAuthBrowser {
  /** Opens the URL, allows the request, and returns the URL outside the site that the browser was redirected to. */
  authorize(address: string | URL): Promise<URL>;
  /** Opens the URL and denies the request. */
  refuse(address: string | URL): Promise<URL>;
  /** One request; redirects are not followed. */
  get(address: string | URL): Promise<Response>;
  post(address: string | URL, fields: Record<string, string>): Promise<Response>;
  readonly cookies: readonly StoredCookie[];
}

export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

const MAX_STEPS = 12;

/**
 * @param cookie the session cookie, as in a header
 * @param others other cookies of the browser
 */
export function oauthBrowser(site: string, cookie?: string, others: readonly StoredCookie[] = []): OAuthBrowser {
  let jar: StoredCookie[] = [...others];
  const [name = '', value = ''] = cookie?.split('=', 2) ?? [];
  if (cookie) jar.push({ name, value, path: '/' });

  async function send(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, site);
    const sent = jar.filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')));
    const header = sent.map((kept) => `${kept.name}=${kept.value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(header && { cookie: header }) };
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  }

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/';
    const kept = { name: pair.slice(0, at), value: pair.slice(at + 1), path };
    jar = jar.filter((other) => other.name !== kept.name || other.path !== kept.path);
    const isRemoved = attributes.some((text) => /^expires=Thu, 01 Jan 1970/i.test(text) || /^max-age=0$/i.test(text));
    if (!isRemoved && kept.value !== '') jar.push(kept);
  }

  const post = (address: string | URL, fields: Record<string, string>) =>
    send(address, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: site } });

  async function followRedirects(address: string | URL, decision: 'allow' | 'deny'): Promise<URL> {
    let url = new URL(address, site);
    let response = await send(url);
    for (let step = 0; step < MAX_STEPS; step++) {
      const location = response.headers.get('location');
      if (location !== null) {
        url = new URL(location, url);
        if (url.origin !== site || !url.pathname.startsWith('/auth/')) return url;
        response = await send(url);
      } else if (response.status === 200 && url.pathname.startsWith('/auth/interaction/')) {
        response = await post(url, { decision });
      } else
        throw new Error(`stopped at ${url.pathname}: ${response.status} ${(await response.text()).slice(0, 2_000)}`);
    }
    throw new Error('The redirects did not end.');
  }

  return {
    authorize: (address) => followRedirects(address, 'allow'),
    refuse: (address) => followRedirects(address, 'deny'),
    get: (address) => send(address),
    post,
    get cookies() {
      return jar;
    },
  };
}
