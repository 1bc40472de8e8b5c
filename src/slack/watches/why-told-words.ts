import type { RecipientReason } from '../../api/watches/watches-api.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Wording } from '../../questions/view/wording.ts';

const NAME_LENGTH = 80;

/** Why it is this person who is told, in a sentence. */
export function whyToldWords(why: RecipientReason, { words, date }: Wording): string {
  const name = 'person' in why ? words(shorten(why.person.name, NAME_LENGTH)) : '';
  switch (why.kind) {
    case 'asked':
      return 'You asked to be told.';
    case 'inCharge':
      return 'It is with you.';
    case 'standsIn': {
      const until = why.until === null ? '' : ` until ${date(why.until)}`;
      return `It is with ${name}, who is away${until}; you stand in for them.`;
    }
    case 'nobodyInCharge':
      return 'It is with nobody, so I tell you, whose watch this is.';
    case 'notReached':
      return `It is with ${name}. ${reasons[why.because]}, so I tell you, whose watch this is.`;
  }
}

const reasons = {
  noAccount: 'I know no Slack account of them, or of who stands in for them',
  hidden: 'They, or who stands in for them, may not see it in the tracker',
  uncovered: 'They are away, and so is everybody who stands in for them',
  muted: 'They, or who stands in for them, want to hear no more of this watch',
  refused: 'Slack does not let me tell them, or who stands in for them',
} as const;
