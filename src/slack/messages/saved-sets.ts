import type { ParameterSet } from '../../model/settings.ts';
import type { Message } from '../message.ts';
import { lineText } from './code-text.ts';
import { type Line, lineBlocks } from './line-blocks.ts';
import { escapeMrkdwn } from './mrkdwn.ts';
import { notice } from './notice.ts';

/** The saved parameter sets somebody may use, each with the line that asks it. */
export function savedSets(sets: readonly ParameterSet[]): Message {
  if (sets.length === 0) {
    return notice(
      'Nothing is saved yet that you may use. Put a report together with `/tis`, and save it there for another day.',
    );
  }
  const lines = sets.map(({ name, public: isPublic }): Line => {
    const line = lineText(`/tis saved ${name}`);
    return () =>
      `*${escapeMrkdwn(name.replaceAll(/\s+/g, ' '))}* (${isPublic ? 'public' : 'yours'})  ${line}`;
  });
  return lineBlocks([`*Saved reports* (${sets.length})`, ...lines]);
}
