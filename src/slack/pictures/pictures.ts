import { createHash } from 'node:crypto';
import type { ImageBlock } from '@slack/types';
import { millisecondsInHour } from 'date-fns/constants';
import type { Logger } from 'pino';
import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import { type Chart, chartWords } from '../../output/charts/chart.ts';
import { chartPng } from '../../output/charts/chart-picture.ts';
import { type UploadParts, uploadPicture } from './upload-picture.ts';

/** Charts for a Slack that does not draw them. */
export interface Pictures {
  /** Whether Slack's own chart block is worth trying. */
  drawnBySlack(): Promise<boolean>;
  /** Slack did not take its own chart block; it is not tried again for an hour. */
  refusedBySlack(): Promise<void>;
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
  parts: UploadParts & { readonly now: () => Instant; readonly log: Logger; readonly shared?: Backing },
): Pictures {
  const { now, log, shared } = parts;
  const refusals = createNamespace<true>({
    ...{ name: 'slack-refuses-charts', ttlMs: TRY_AGAIN_MS, most: 1, now, backing: shared },
  });
  const files = createNamespace<string | null>({
    ...{ name: 'slack-picture', ttlMs: (id) => (id === null ? 0 : REMEMBERED_MS), most: MOST_REMEMBERED },
    ...{ now, backing: shared },
  });

  function fileOf(chart: Chart): Promise<string | null> {
    const { alt: _, ...drawn } = chart;
    const hash = createHash('sha256').update(JSON.stringify(drawn)).digest('hex');
    return files.getOrMake(hash, async () => {
      try {
        const png = await chartPng(chart);
        return png === null ? null : await uploadPicture(png, chart.title, parts);
      } catch (error) {
        log.warn({ err: error }, 'a chart could not be shown as a picture');
        return null;
      }
    });
  }

  return {
    drawnBySlack: async () => (await refusals.get('')) === undefined,
    refusedBySlack: () => refusals.set('', true),
    async draw(chart) {
      const id = await fileOf(chart);
      if (id === null) return null;
      const words = chart.alt.trim() === '' ? chartWords(chart) : chart.alt;
      return { type: 'image', slack_file: { id }, alt_text: shorten(words, limits.image.alt) };
    },
  };
}
