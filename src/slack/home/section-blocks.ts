import type { MessageBlock } from '../message.ts';
import { context, section } from '../messages/mrkdwn.ts';
import type { Section } from './home-content.ts';

/** A part of the tab: its blocks once it is known, else its title and what is the matter. The title is escaped. */
export function sectionBlocks<Value>(
  title: string,
  part: Section<Value>,
  known: (value: Value) => readonly MessageBlock[],
): readonly MessageBlock[] {
  switch (part.state) {
    case 'known':
      return known(part.value);
    case 'counting':
      return [section(`*${title}*\nStill counting; this fills by itself.`)];
    case 'failed':
      return [
        section(`*${title}*\nThis part cannot be told at the moment.`),
        ...part.why.blocks.slice(0, 2),
        context('The rest is not affected. *Refresh* at the end tries again.'),
      ];
  }
}
