import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../../access/index.ts';
import { countRequest } from '../../edge/admit.ts';
import type { ApiParts } from '../../parts.ts';
import { matchesEtag } from '../../responses.ts';
import { html, type Page, renderDocument } from '../html.ts';
import { sendErrorPage } from '../serve-pages.ts';
import { STYLE_SOURCE } from '../style.ts';

const PATH = '/verify';

/** The modules of this folder that the page loads. */
const OWN_MODULES = ['verify.js', 'verdict.js', 'document.js', 'receipt.js', 'content-id.js'];

/** `sha3.js` of @noble/hashes and the modules that it imports. No other file of a package is served. */
const HASH_MODULES = ['sha3.js', '_u64.js', 'utils.js'];

/** The page loads its own scripts and sends nothing, so that a proof file cannot leave the browser. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${STYLE_SOURCE}`,
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Registers the page on which a browser verifies a proof file without sending it anywhere, and its scripts. */
export async function registerVerify(app: FastifyInstance, parts: ApiParts): Promise<void> {
  await app.register(async (context) => {
    context.setErrorHandler(sendErrorPage);
    context.addHook('onRequest', (request, reply) => countRequest(parts, ANONYMOUS, request, reply));
    const page = renderDocument(VERIFY_PAGE);
    serveText(context, PATH, page, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
    });
    for (const [path, text] of readModules()) {
      serveText(context, path, text, { 'content-type': 'text/javascript; charset=utf-8' });
    }
  });
}

function serveText(context: FastifyInstance, path: string, text: string, headers: Record<string, string>): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  context.get(path, async (request: FastifyRequest, reply: FastifyReply) => {
    // Revalidated before every use, so that the page and its modules are always of one version. The ETag is weak,
    // because the text may be compressed.
    reply.headers({ ...headers, etag: `W/${etag}`, 'cache-control': 'no-cache' });
    return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(text);
  });
}

/** Yields the path and the text of each module. */
function* readModules(): Generator<readonly [path: string, text: string]> {
  for (const name of OWN_MODULES) {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    // A browser has no packages.
    yield [`${PATH}/${name}`, text.replace("from '@noble/hashes/", "from './noble-hashes/")];
  }
  const folder = dirname(fileURLToPath(import.meta.resolve('@noble/hashes/sha3.js')));
  for (const name of HASH_MODULES) {
    yield [`${PATH}/noble-hashes/${name}`, readFileSync(join(folder, name), 'utf8')];
  }
}

const COMMAND = 'npm run -s almanac -- proof verify FILE --chain URL';

const VERIFY_PAGE: Page = {
  title: 'Verify a proof',
  wide: true,
  body: html`<div class="card stack">
<h1>Verify a proof</h1>
<p>This page verifies the proof file of a forecast. Your browser computes the verdict: the file is not sent to this site or to
any other.</p>
<p id="without-script" class="alert">The check needs JavaScript, which this browser did not run. Verify the file with the
command below instead.</p>
<div id="choose" class="stack" hidden>
<div>
<label for="file">Proof file</label>
<p class="hint" id="file-hint">Choose the file, or drop it anywhere on this page. It can have at most 8 MiB.</p>
<input type="file" id="file" accept=".json,application/json" autocomplete="off" aria-describedby="file-hint">
</div>
<div>
<label for="text">Text of a proof file</label>
<textarea id="text" rows="4" autocomplete="off" spellcheck="false"></textarea>
</div>
<button type="button" id="verify-text" class="quiet">Verify the text</button>
</div>
<p id="headline" role="status"></p>
</div>
<section id="details" class="card stack" aria-label="Verdict" hidden></section>
<section class="card stack">
<h2>What this page cannot prove</h2>
<ul class="ticks">
<li>That a receipt is on its chain. This page contacts no chain.</li>
<li>That the numbers are plausible. The page checks the content id, the receipt and the fields that it shows.</li>
<li>That no other forecast for the same question was stamped and then withheld.</li>
<li>That this page itself is honest, if you do not trust the site that serves it.</li>
</ul>
<p>The command checks every field, and with <code>--chain</code> the receipt on its chain. Run it on a computer that you trust,
with the URL of a JSON-RPC node that you trust:</p>
<p><code>${COMMAND}</code></p>
</section>
<script type="module" src="${PATH}/verify.js"></script>`,
};
