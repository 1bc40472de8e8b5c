import type { Message, MessageBlock } from '../../block-kit/message.ts';
import { type Chart, chartOf, chartWords } from '../../output/charts/chart.ts';
import { chartSection } from './chart-section.ts';
import type { Pictures } from './pictures.ts';

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
export function hasNativeChart({ blocks }: Message): boolean {
  return blocks.some((block) => block.type === 'data_visualization');
}
