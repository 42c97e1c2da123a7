// The script of the form of a new forecast: the cost follows the choices, and the form is submitted once.

import { followCost } from './new/follow-cost.ts';
import { submitOnce } from './new/submit-once.ts';

const form = document.querySelector<HTMLFormElement>('form[data-new]');
if (form) {
  submitOnce(form);
  followCost(form);
}
