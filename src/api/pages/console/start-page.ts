import { html } from '../html.ts';
import type { ConsoleRoute } from './visit.ts';

export const startPage: ConsoleRoute = {
  path: '/',
  get: async () => ({
    title: 'Forecasts that anyone can check',
    body: html`<h1>Forecasts that anyone can check</h1>`,
  }),
};
