import { checkBlocks } from './check-blocks.ts';
import { limits } from './limits.ts';
import {
  anything,
  boolean,
  byType,
  type Inspection,
  isRecord,
  oneOf,
  type Problem,
  shape,
  string,
} from './rule.ts';
import { plainText } from './text-rules.ts';

const shared = {
  private_metadata: string({ min: 0, max: limits.view.privateMetadata }),
  callback_id: string({ min: 0, max: limits.view.callbackId }),
  external_id: string({ min: 0, max: limits.view.externalId }),
};

const viewRule = byType('view', {
  modal: shape(
    { type: oneOf('modal'), title: plainText({ max: limits.view.title }), blocks: anything },
    {
      ...shared,
      submit: plainText({ max: limits.view.submit }),
      close: plainText({ max: limits.view.close }),
      clear_on_close: boolean,
      notify_on_close: boolean,
      submit_disabled: boolean,
    },
  ),
  home: shape({ type: oneOf('home'), blocks: anything }, shared),
});

/** Everything Slack would refuse about a modal or a Home tab; empty when it would take it. */
export function checkView(view: unknown): Problem[] {
  const problems: Problem[] = [];
  const surface = isRecord(view) && view.type === 'home' ? 'home' : 'modal';
  const inspection: Inspection = { surface, say: (path, message) => problems.push({ path, message }) };
  viewRule(view, '', inspection);
  if (!isRecord(view)) return problems;
  if (view.blocks !== undefined) problems.push(...checkBlocks(view.blocks, surface));
  if (surface === 'modal' && view.submit === undefined && hasInput(view.blocks))
    inspection.say('/submit', 'missing required field: a modal with an input block needs it');
  return problems;
}

function hasInput(blocks: unknown): boolean {
  return Array.isArray(blocks) && blocks.some((block) => isRecord(block) && block.type === 'input');
}
