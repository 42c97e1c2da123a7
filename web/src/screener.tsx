// The script of the screener: the preview follows the form of a filter.

import { followForm } from './screener/follow-form.ts';

const form = document.querySelector<HTMLFormElement>('form[data-editor]');
if (form) followForm(form);
