import { isJson, type Json } from './json.ts';

/** Blocks with the `block_id` and `action_id` Slack makes up where the app gave none. */
export function fillIds(blocks: readonly Json[], newId: () => string): Json[] {
  const shortId = () => newId().slice(0, 5);
  const withAction = (element: unknown): unknown =>
    isJson(element) && isInteractive(element) ? { action_id: shortId(), ...element } : element;
  const withBlock = (block: Json): Json => {
    const filled: Record<string, unknown> = { block_id: shortId(), ...block };
    for (const name of ['elements', 'actions']) {
      const members = filled[name];
      if (Array.isArray(members) && block.type !== 'rich_text')
        filled[name] = members.map((member) =>
          isJson(member) && member.type === 'card' ? withBlock(member) : withAction(member),
        );
    }
    for (const name of ['accessory', 'element'])
      if (filled[name] !== undefined) filled[name] = withAction(filled[name]);
    if (Array.isArray(filled.child_blocks))
      filled.child_blocks = filled.child_blocks.map((child) => (isJson(child) ? withBlock(child) : child));
    return filled;
  };
  return blocks.map(withBlock);
}

function isInteractive(element: Json): boolean {
  return !['image', 'mrkdwn', 'plain_text'].includes(String(element.type));
}

/** Every element of these blocks a person can act upon, with the block it stands in. */
export function interactiveElements(blocks: readonly Json[]): { blockId: string; element: Json }[] {
  return blocks.flatMap((block) => {
    const nested = ['elements', 'child_blocks', 'actions'].flatMap((name) => {
      const members = block[name];
      return Array.isArray(members) ? members.filter(isJson) : [];
    });
    const children = nested.filter((child) => child.block_id !== undefined);
    const own = [...nested.filter((child) => child.block_id === undefined), block.accessory, block.element]
      .filter(isJson)
      .filter((element) => element.action_id !== undefined);
    return [
      ...own.map((element) => ({ blockId: String(block.block_id), element })),
      ...interactiveElements(children),
    ];
  });
}
