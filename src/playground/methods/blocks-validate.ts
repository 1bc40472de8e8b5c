import { checkBlocks, checkView } from '../../block-kit/check-blocks.ts';
import { isJson } from '../json.ts';
import type { Method } from '../method.ts';
import { refuseArguments, refuseProblems } from '../refusal.ts';

/** Says what is wrong with blocks, a message or a view; posts nothing. */
export const blocksValidate: Method = {
  name: 'blocks.validate',
  run: (args) => {
    const [blocks, message, view] = [args.json('blocks'), args.json('message'), args.json('view')];
    const problems =
      view !== undefined
        ? checkView(view)
        : checkBlocks(blocks ?? (isJson(message) ? message.blocks : undefined), 'message');
    if (blocks === undefined && message === undefined && view === undefined)
      throw refuseArguments('missing required field: blocks');
    if (problems.length > 0) throw refuseProblems('invalid_blocks', problems);
    return {};
  },
};
