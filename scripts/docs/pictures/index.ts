import { calibrationPicture } from './calibration-picture.ts';
import { forecastPicture } from './forecast-picture.ts';
import { type PicturedRun, picturedRun } from './pictured-run.ts';
import { windowsPicture } from './windows-picture.ts';

let run: Promise<PicturedRun> | undefined;

/** All pictures show the same forecast, which is computed when the first picture is drawn. */
function drawn(draw: (run: PicturedRun) => string): () => Promise<string> {
  return async () => {
    run ??= picturedRun();
    return draw(await run);
  };
}

/** The pictures of the page about the ensemble, by file name. */
export const PICTURES = {
  'windows.svg': drawn(windowsPicture),
  'forecast.svg': drawn(forecastPicture),
  'calibration.svg': drawn(calibrationPicture),
};
