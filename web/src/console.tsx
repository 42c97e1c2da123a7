// The script of every console page.

import { showLocalTimes } from './local-time.ts';
import { focusSearchOnSlash } from './search-key.ts';

showLocalTimes(document);
focusSearchOnSlash();
