import { previewForecasts, requireCaller } from '../../forecasts/index.ts';
import type { Handlers } from '../call.ts';

export const forecastPreviewHandlers = {
  async previewForecasts({ parts, principal, query }) {
    return { previews: await previewForecasts(parts.forecasts, requireCaller(principal), query.ids) };
  },
} satisfies Partial<Handlers>;
