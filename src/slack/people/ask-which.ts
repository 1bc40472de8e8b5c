import { z } from 'zod';
import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { User } from '../../model/issue.ts';
import { button, notice } from '../app/message-texts.ts';
import { loginOf } from './accounts.ts';
import type { FoundPerson, TypedPerson } from './find-person.ts';

/**
 * What somebody reads where it is not certain whom they mean: who it may be, or how that can be said. `hints` are escaped
 * sentences about what else may have been meant.
 */
export function askWhich(
  typed: TypedPerson,
  found: Exclude<FoundPerson, { readonly kind: 'known' }>,
  asked: Omit<ChosenPerson, 'person'>,
  { hasAdmins, hints }: { readonly hasAdmins: boolean; readonly hints: readonly string[] },
): Message {
  const called = 'account' in typed ? `<@${typed.account}>` : codeText(typed.name);
  const toValue = ({ id }: { readonly id: string }) => writeChosen({ ...asked, person: id });
  if (found.kind === 'several') {
    return personChoice(
      `Several people in the tracker may be ${called}. Whom do you mean?`,
      found.users,
      toValue,
    );
  }
  const lead = `I do not know who ${called} is in the tracker. ${[escapeMrkdwn(found.because), ...hints].join(' ')}`;
  if (found.similar.length > 0) return personChoice(`${lead} Did you mean:`, found.similar, toValue);
  if ('name' in typed)
    return notice(lead, 'Type a user name of the tracker, a full name, or mention somebody.');
  const line = `\`npm run --silent dwell -- people --link ${typed.account} --to USERNAME\``;
  return notice(
    lead,
    'They can say it themselves with `/delegates link`,',
    hasAdmins
      ? `or an admin with \`/delegates link @them USERNAME\` or ${line}.`
      : `or it is said with ${line}.`,
    'Or ask with their user name of the tracker instead of the mention.',
  );
}

/** What the button of one of several people carries: who is meant, and what was asked of them. */
const chosenPerson = z.object({
  about: z.enum(['delegates', 'delegators', 'end']),
  person: z.string(),
  rest: z.string(),
});
/** The same as a value. */
type ChosenPerson = z.infer<typeof chosenPerson>;

/** As a button's value. */
function writeChosen(chosen: ChosenPerson): string {
  return JSON.stringify(chosen);
}

/** From a button's value; only we write those. */
export function readChosen(value: string): ChosenPerson {
  return chosenPerson.parse(JSON.parse(value));
}

const SHOWN = 10;
const NAME_LENGTH = 60;

/** Who of several is meant, each with a button whose value tells how to go on. Expects the lead to be escaped. */
export function personChoice(lead: string, users: readonly User[], toValue: (user: User) => string): Message {
  const shown = users.slice(0, SHOWN).map((user) => ({
    user,
    text: `*${escapeMrkdwn(shorten(user.name, NAME_LENGTH))}* (${escapeMrkdwn(shorten(loginOf(user), NAME_LENGTH))})`,
  }));
  const rest = users.length - shown.length;
  const more = `… and ${rest} more; type the user name instead.`;
  return {
    text: [lead, ...shown.map(({ text }) => text), ...(rest > 0 ? [more] : [])].join('\n'),
    blocks: [
      section(lead),
      ...shown.map(({ user, text }) => ({
        ...section(text),
        accessory: button('This one', 'choose-person', toValue(user)),
      })),
      ...(rest > 0 ? [context(more)] : []),
    ],
  };
}
