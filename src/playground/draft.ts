import { checkBlocks } from '../block-kit/check-blocks.ts';
import { limits } from '../block-kit/limits.ts';
import { type Json, objectsOf } from './json.ts';
import type { Draft } from './message.ts';
import { Refusal, refuseProblems } from './refusal.ts';

/** What an app wants to say, checked as Slack checks it: something to show, valid blocks, text cut at its limit. */
export function draftOf(text: string | undefined, blocks: unknown): Draft {
  if (blocks !== undefined) {
    const problems = checkBlocks(blocks, 'message');
    if (problems.length > 0) throw refuseProblems('invalid_blocks', problems);
  }
  const shown: readonly Json[] = objectsOf(blocks);
  if (text === undefined && shown.length === 0) throw new Refusal('no_text');
  return { text: (text ?? '').slice(0, limits.messageText), ...(shown.length > 0 ? { blocks: shown } : {}) };
}
