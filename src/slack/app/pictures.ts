import { createHash } from 'node:crypto';
import type {
  DataTableBlock,
  ImageBlock,
  KnownBlock,
  RichTextBlock,
  SectionBlock,
  TableBlock,
} from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import { limits } from '../../block-kit/limits.ts';
import type { Message, MessageBlock } from '../../block-kit/message.ts';
import { plainSection } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { type Chart, chartOf, chartWords } from '../../output/charts/chart.ts';
import { chartPng } from '../../output/charts/chart-picture.ts';
import { isolated } from '../../output/text-direction.ts';
import { UploadRefused } from './slack-refusal.ts';

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

/** What an upload of a picture needs of the door. */
interface UploadParts {
  readonly web: WebClient;
  /** Where Slack is called instead of at its own address. */
  readonly apiUrl: string | undefined;
  wait(ms: number): Promise<void>;
}

/** Slack looks into a file before it shows it; together a few seconds, for somebody waits for the answer. */
const pausesMs = [150, 300, 600, 1200, 2400];

/**
 * Gives Slack a PNG that belongs to no channel, and answers its id as soon as a block can show it; null where Slack is
 * not done in time. Fails where Slack does not take it.
 */
async function uploadPicture(
  png: Uint8Array<ArrayBuffer>,
  title: string,
  { web, apiUrl, wait }: UploadParts,
): Promise<string | null> {
  const blob = new Blob([png], { type: 'image/png' });
  const id = await uploadBlob(web, { fileName: 'chart.png', blob }, apiUrl);
  await web.files.completeUploadExternal({ files: [{ id, title }] });
  for (const pauseMs of pausesMs) {
    const { file } = await web.files.info({ file: id });
    // Until Slack knows what it is, a block that shows it is refused.
    if (file?.mimetype) return id;
    await wait(pauseMs);
  }
  return null;
}

/**
 * The message with a picture instead of its native chart. `chart` is what to draw; without it the block's own figures
 * are drawn, and a message without such a block gets the picture below its headline. Where no picture can be made,
 * words stand there.
 */
export async function withPictures(
  message: Message,
  chart: Chart | null,
  pictures: Pictures,
): Promise<Message> {
  const drawn = async (shown: Chart): Promise<MessageBlock> =>
    (await pictures.draw(shown)) ?? chartSection(shown.alt.trim() === '' ? chartWords(shown) : shown.alt);
  if (hasNativeChart(message)) {
    const blocks = await Promise.all(
      message.blocks.map(async (block) =>
        block.type === 'data_visualization' ? drawn(chart ?? chartOf(block)) : block,
      ),
    );
    return { ...message, blocks };
  }
  if (chart === null) return message;
  const [headline = [], rest] = [message.blocks.slice(0, 1), message.blocks.slice(1)];
  return { ...message, blocks: [...headline, await drawn(chart), ...rest] };
}

/** The message as it is worth sending: with a picture where Slack does not draw the chart, else as it is. */
export async function withShownChart(
  message: Message,
  chart: Chart | null,
  pictures: Pictures,
): Promise<Message> {
  const native = hasNativeChart(message) && (await pictures.drawnBySlack());
  return native ? message : withPictures(message, chart, pictures);
}

/** Whether Slack is to draw something in it. */
function hasNativeChart({ blocks }: Message): boolean {
  return blocks.some((block) => block.type === 'data_visualization');
}

/** A message in a plainer form, made when it is needed. */
interface Fallback {
  make(): Promise<Message>;
  /** What it means where Slack takes this after it refused all before. */
  taken(): Promise<void>;
}

const nothing = async () => {};

/**
 * What to send, in order, where Slack refuses a message: with a picture instead of its chart, with words and
 * preformatted text, as text alone.
 */
export function fallbacks(message: Message, pictures: Pictures | null): readonly Fallback[] {
  const drawn: Fallback[] =
    pictures === null || !hasNativeChart(message)
      ? []
      : [{ make: () => withPictures(message, null, pictures), taken: () => pictures.refusedBySlack() }];
  const plain = { ...message, blocks: plainBlocks(message.blocks) };
  return [
    ...drawn,
    ...(canBeRefused(message) ? [{ make: async () => plain, taken: nothing }] : []),
    ...(message.blocks.length > 0
      ? [{ make: async () => ({ ...message, blocks: [] }), taken: nothing }]
      : []),
  ];
}

/** Whether it holds blocks that not every Slack takes. */
export function canBeRefused({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      ['data_visualization', 'data_table', 'table'].includes(block.type) ||
      (block.type === 'image' && 'slack_file' in block),
  );
}

/** What stands where a chart cannot be shown: its words. A section without text would be refused. */
function chartSection(words: string): SectionBlock {
  return plainSection(words.trim() === '' ? 'A chart that cannot be shown here.' : words);
}

/**
 * Slack takes charts and tables in phases; where it refuses one, the same figures stand as words and as preformatted
 * text. A picture of a file gives way to its own words.
 */
export function plainBlocks(blocks: readonly MessageBlock[]): KnownBlock[] {
  return blocks.map((block) => {
    if (block.type === 'data_visualization') return chartSection(chartOf(block).alt);
    if (block.type === 'image' && 'slack_file' in block) return chartSection(block.alt_text);
    if (block.type === 'data_table') return preformatted(block);
    return block.type === 'table' ? preformatted(block) : block;
  });
}

function preformatted(table: TableBlock | DataTableBlock): RichTextBlock {
  const settings = ('column_settings' in table && table.column_settings) || [];
  const texts = table.rows.map((cells) => cells.map((cell) => wordsIn(cell)));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((cells) => (cells[i] ?? '').length)));
  const lines = texts.map((cells) =>
    cells
      .map((text, i) => {
        const width = widths[i] ?? 0;
        return isolated(settings[i]?.align === 'right' ? text.padStart(width) : text.padEnd(width));
      })
      .join('  ')
      .trimEnd(),
  );
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: lines.join('\n') }] }],
  };
}

/** What a cell shows: its text, or the texts of what is rich in it, such as a link. */
function wordsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  if ('text' in value) return String(value.text);
  return 'elements' in value ? wordsIn(value.elements) : '';
}

/** As long as a large file may take over a slow line. */
const UPLOAD_TIMEOUT_MS = 10 * millisecondsInMinute;

/** Slack's own hosts take files for its workspaces, those of governments too. */
const slackHost = /(^|\.)slack(-gov)?\.com$/;

/**
 * Sends bytes to Slack, which keeps them apart until the upload is completed; answers their id there. `apiUrl` is where
 * Slack is called instead of at its own address.
 */
export async function uploadBlob(
  web: WebClient,
  { fileName, blob }: { readonly fileName: string; readonly blob: Blob },
  apiUrl: string | undefined,
): Promise<string> {
  const { upload_url: url = '', file_id: id = '' } = await web.files.getUploadURLExternal({
    filename: fileName,
    length: blob.size,
  });
  if (id === '' || !isSlack(url, apiUrl)) throw new UploadRefused('upload_address');
  const response = await fetch(url, {
    method: 'POST',
    body: blob,
    headers: { 'content-type': 'application/octet-stream' },
    // Nobody but who was asked for is to get the bytes.
    redirect: 'manual',
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  }).catch((cause: unknown): never => {
    throw new AppError('slack-unavailable', 'Slack did not take the file.', [], { cause });
  });
  await response.body?.cancel();
  if (response.status >= 500 || response.status === 429) {
    throw new AppError('slack-unavailable', `Slack did not take the file: HTTP ${response.status}.`);
  }
  if (!response.ok) throw new UploadRefused(`upload_${response.status}`);
  return id;
}

/** An address of Slack; where something stands in for Slack, one of that. */
function isSlack(url: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, protocol, hostname } = new URL(url);
  if (apiUrl !== undefined) return origin === new URL(apiUrl).origin;
  return protocol === 'https:' && slackHost.test(hostname);
}
