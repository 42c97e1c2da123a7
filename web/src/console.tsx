// The script of every console page.

import { showLocalTimes } from './local-time.ts';
import { countDownRetries } from './retry.ts';
import { focusSearchOnSlash } from './search-key.ts';

showLocalTimes(document);
countDownRetries(document);
focusSearchOnSlash();
