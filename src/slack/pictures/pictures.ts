import { createHash } from 'node:crypto';
import type { ImageBlock } from '@slack/types';
import { millisecondsInHour } from 'date-fns/constants';
import type { Logger } from 'pino';
import { limits } from '../../block-kit/limits.ts';
import type { Instant } from '../../model/issue.ts';
import { type Chart, chartWords } from '../../output/charts/chart.ts';
import { chartPng } from '../../output/charts/chart-picture.ts';
import { shorten } from '../messages/shorten.ts';
import { type UploadParts, uploadPicture } from './upload-picture.ts';

/** Charts for a Slack that does not draw them. */
export interface Pictures {
  /** Whether Slack's own chart block is worth trying. */
  drawnBySlack(): boolean;
  /** Slack did not take its own chart block; it is not tried again for an hour. */
  refusedBySlack(): void;
  /** A block that shows the chart; null where none can be made, which is logged. */
  draw(chart: Chart): Promise<ImageBlock | null>;
}

/** Slack takes new blocks in phases, so a workspace that refused one may take it later. */
const TRY_AGAIN_MS = millisecondsInHour;

/** The same answer is often asked for again, and a file of Slack's may be taken away by an administrator. */
const REMEMBERED_MS = millisecondsInHour;
const MOST_REMEMBERED = 200;

/** Pictures for this process; the same chart is drawn and uploaded once in a while. */
export function createPictures(
  parts: UploadParts & { readonly now: () => Instant; readonly log: Logger },
): Pictures {
  const { now, log } = parts;
  let refusedAt: Instant | null = null;
  const known = new Map<string, { readonly at: Instant; readonly id: Promise<string | null> }>();

  function fileOf(chart: Chart): Promise<string | null> {
    const { alt: _, ...drawn } = chart;
    const hash = createHash('sha256').update(JSON.stringify(drawn)).digest('hex');
    const kept = known.get(hash);
    if (kept !== undefined && now() - kept.at < REMEMBERED_MS) return kept.id;
    const id = chartPng(chart)
      .then((png) => (png === null ? null : uploadPicture(png, chart.title, parts)))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a chart could not be shown as a picture');
        return null;
      });
    known.delete(hash);
    known.set(hash, { at: now(), id });
    for (const oldest of known.keys()) {
      if (known.size <= MOST_REMEMBERED) break;
      known.delete(oldest);
    }
    return id.then((found) => {
      if (found === null) known.delete(hash);
      return found;
    });
  }

  return {
    drawnBySlack: () => refusedAt === null || now() - refusedAt >= TRY_AGAIN_MS,
    refusedBySlack() {
      refusedAt = now();
    },
    async draw(chart) {
      const id = await fileOf(chart);
      if (id === null) return null;
      const words = chart.alt.trim() === '' ? chartWords(chart) : chart.alt;
      return { type: 'image', slack_file: { id }, alt_text: shorten(words, limits.image.alt) };
    },
  };
}
