import type { KnownBlock } from '@slack/types';
import type { Chart, NativeChart } from '../../output/charts/chart.ts';
import { section } from './mrkdwn.ts';

/** A chart that Slack has no block for: it is drawn as a picture before it is sent. */
export interface DrawnChart {
  readonly type: 'drawn_chart';
  readonly chart: Chart;
}

/** A block of a message: one of Slack's published types, or a chart. */
export type MessageBlock = KnownBlock | NativeChart | DrawnChart;

/** A message: blocks for those who see them, and a text that says the same for notifications and screen readers. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly MessageBlock[];
}

/** A section takes 3,000 characters, a message about 13,000 and fifty blocks; people read less. */
const SECTION_CHARACTERS = 2_800;
const MESSAGE_CHARACTERS = 9_000;
const LINES = 60;

/** A line of a message, or what makes it where there may be more lines than are shown. */
export type Line = string | (() => string);

/**
 * Lines below each other, as many as there is room for; the rest is counted. `most` is in
 * characters. Expects them to be escaped.
 */
export function lineBlocks(lines: readonly Line[], most: number = MESSAGE_CHARACTERS): Message {
  const sections: string[] = [];
  let open = '';
  let length = 0;
  let shown = 0;
  for (const made of lines) {
    const line = typeof made === 'string' ? made : made();
    if (shown === LINES || length + line.length > most) break;
    if (open !== '' && open.length + line.length >= SECTION_CHARACTERS) {
      sections.push(open);
      open = '';
    }
    open = open === '' ? line : `${open}\n${line}`;
    length += line.length + 1;
    shown += 1;
  }
  const rest = lines.length - shown;
  const all = [
    ...sections,
    ...(open === '' ? [] : [open]),
    ...(rest > 0 ? [`… and ${rest} more lines.`] : []),
  ];
  return { text: all.join('\n'), blocks: all.map((lines) => section(lines)) };
}

/** No one reads more names in a line. */
const SHOWN = 5;

/** The first few of a list, and how many more there are: `Ada, Bob and 3 more`. */
export function someOf(all: readonly string[], most = SHOWN): string {
  const more = all.length - most;
  return all.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** All of a short list, else the first few: `Ada, Bob and Carl`. */
export function listText(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  if (last === undefined || others.length === 0 || names.length > SHOWN) return someOf(names);
  return `${others.reverse().join(', ')} and ${last}`;
}
