import { blockRules } from './block-rules.ts';
import { limits } from './limits.ts';
import { byType, type Inspection, isRecord, type Problem, type Rule, type Surface } from './rule.ts';
import { charactersIn } from './shown-characters.ts';

/** Everything Slack would refuse about these blocks on this surface; empty when it would take them. */
export function checkBlocks(blocks: unknown, surface: Surface, path = '/blocks'): Problem[] {
  const problems: Problem[] = [];
  const inspection: Inspection = {
    surface,
    say: (where, message) => problems.push({ path: where, message }),
  };
  if (!Array.isArray(blocks)) return [{ path, message: 'must be a list' }];
  const most = limits.blocks[surface];
  if (blocks.length > most) inspection.say(path, `no more than ${most} items allowed [has ${blocks.length}]`);
  const known = byType('block', blockRules[surface]);
  blocks.forEach((block, index) => {
    known(block, `${path}/${index}`, inspection);
    uniqueActionIds(block, `${path}/${index}`, inspection);
  });
  uniqueBlockIds(blocks, path, inspection);
  if (surface === 'message') checkWholeMessage(blocks, path, inspection);
  return problems;
}

const wholeMessage: readonly { types: readonly string[]; most: number; message: string }[] = [
  { types: ['table', 'data_table'], most: limits.table.perMessage, message: 'only_one_table_allowed' },
  {
    types: ['data_visualization'],
    most: limits.chart.perMessage,
    message: 'no more than 2 charts a message',
  },
  { types: ['plan'], most: limits.plansPerMessage, message: 'no more than 1 plan a message' },
];

function checkWholeMessage(blocks: readonly unknown[], path: string, { say }: Inspection): void {
  const types = withChildren(blocks).map((block) => (isRecord(block) ? block.type : undefined));
  for (const { types: counted, most, message } of wholeMessage) {
    const count = types.filter((type) => typeof type === 'string' && counted.includes(type)).length;
    if (count > most) say(path, `${message} [has ${count}]`);
  }
  const markdown = charactersIn(blocks.filter((block) => isRecord(block) && block.type === 'markdown'));
  if (markdown > limits.markdown)
    say(path, `no more than ${limits.markdown} characters of markdown [has ${markdown}]`);
  const characters = charactersIn(blocks);
  if (characters > limits.messageCharacters)
    say(path, `msg_blocks_too_long: no more than ${limits.messageCharacters} characters [has ${characters}]`);
}

function withChildren(blocks: readonly unknown[]): unknown[] {
  return blocks.flatMap((block) =>
    isRecord(block) && Array.isArray(block.child_blocks) ? [block, ...block.child_blocks] : [block],
  );
}

function uniqueBlockIds(blocks: readonly unknown[], path: string, { say }: Inspection): void {
  const seen = new Set<unknown>();
  blocks.forEach((block, index) => {
    const id = isRecord(block) ? block.block_id : undefined;
    if (id === undefined) return;
    if (seen.has(id)) say(`${path}/${index}/block_id`, `duplicate block_id: ${id}`);
    seen.add(id);
  });
}

const uniqueActionIds: Rule = (block, path, { say }) => {
  if (!isRecord(block) || !Array.isArray(block.elements)) return;
  const seen = new Set<unknown>();
  block.elements.forEach((element, index) => {
    const id = isRecord(element) ? element.action_id : undefined;
    if (id === undefined) return;
    if (seen.has(id)) say(`${path}/elements/${index}/action_id`, `duplicate action_id: ${id}`);
    seen.add(id);
  });
};
