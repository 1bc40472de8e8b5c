import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import { personChoice } from '../messages/person-choice.ts';
import { type ChosenPerson, writeChosen } from './chosen-person.ts';
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
