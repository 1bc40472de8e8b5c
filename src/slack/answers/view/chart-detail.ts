import { type Chart, nativeChart } from '../../../output/charts/chart.ts';
import type { Message, MessageBlock } from '../../blocks/message.ts';
import { context, escapeMrkdwn } from '../../blocks/mrkdwn.ts';
import type { DetailTable } from './paged-table.ts';

/**
 * What is behind *Details* of an answer whose table leaves no room for its picture: the picture, all rows where some were
 * left out, and what the figures mean (mrkdwn).
 */
export function chartDetail(
  chart: Chart | null,
  table: DetailTable | null,
  meaning: string,
): readonly Message[] {
  const drawn = chart === null ? null : nativeChart(chart);
  if (drawn === null && table === null) return [];
  const blocks: MessageBlock[] = [
    ...(drawn === null ? [] : [drawn]),
    ...(table === null ? [] : [table.block]),
    context(meaning),
  ];
  const text = [
    ...(chart === null ? [] : [chart.alt]),
    ...(table === null ? [] : [`${table.text}.`]),
    meaning,
  ];
  return [{ text: escapeMrkdwn(text.join(' ')), blocks }];
}
