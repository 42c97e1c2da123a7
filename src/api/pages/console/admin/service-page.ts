import { html } from '../../html.ts';
import { renderHint } from '../hints.ts';
import type { ConsoleRoute } from '../visit.ts';
import { renderService } from './render-service.ts';
import { ADMIN_PATH, renderAdminHead } from './words.ts';

/** The state of the service. Scripts read it again every ten seconds. */
export const servicePage: ConsoleRoute = {
  path: ADMIN_PATH,

  async get(visit) {
    const state = await visit.visitor.call('readServiceState');
    return {
      title: 'Administration',
      section: 'admin',
      script: 'admin',
      body: html`${renderAdminHead('service', 'State of the service', 'Providers, queues, stamps and the database, as they are now.')}
${renderHint(visit, 'admin', 'These pages show the service and how much accounts use, never what is in them: no titles, names or contents.')}
<div class="toolbar live" id="live" hidden><button class="quiet" type="button" id="pause" aria-pressed="false">Pause updates</button>
<p class="soft small" id="live-state">Updates every 10 seconds.</p></div>
<p class="away" role="status" id="announcement"></p>
<div class="flow" id="service">${renderService(state, visit)}</div>`,
    };
  },
};
