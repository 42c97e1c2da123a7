// The script of every console page.

import { addCopyButtons } from './copy-text.ts';
import { removeHints } from './hints.ts';
import { showLocalTimes } from './local-time.ts';
import { countDownRetries } from './retry.ts';
import { focusSearchOnSlash } from './search-key.ts';

showLocalTimes(document);
countDownRetries(document);
addCopyButtons(document);
removeHints(document);
focusSearchOnSlash();
