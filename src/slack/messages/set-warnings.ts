import type { CategoryId, Coverage, Delegation } from '../../model/delegation.ts';
import { peopleText, spanText } from './delegation-line.ts';
import { categoriesText } from './names.ts';
import { someLines } from './some-lines.ts';
import { awayTooText, uncoveredText } from './stand-in-message.ts';
import type { Words } from './words.ts';

/**
 * What somebody ought to know who has set a delegation, from what is known of its time: when nobody is left,
 * whose delegate is away too, and who else stands in. Expects escaped words.
 */
export function setWarnings(delegation: Delegation, coverage: Coverage, words: Words): readonly string[] {
  const { id, delegator, delegates, categoryIds } = delegation;
  const looked = { span: coverage.span, whole: 'all the time' };
  const concerns = (one: { readonly person: string; readonly categoryId: CategoryId }) =>
    one.person === delegator &&
    (one.categoryId === null || categoryIds.length === 0 || categoryIds.includes(one.categoryId));
  const nobody = coverage.uncovered.filter((one) => one.reason !== 'gap' && concerns(one));
  const awayToo = coverage.awayToo.filter((one) => concerns(one) && delegates.includes(one.delegate));
  const others = coverage.delegations.filter(
    (one) => one.id !== id && one.delegator === delegator && addsTo(delegation, one),
  );
  return [
    ...someLines(nobody, (one) => `:warning: ${uncoveredText(one, words, looked)}`),
    ...someLines(awayToo, (one) => `:warning: ${awayTooText(one, words, looked)}`),
    ...someLines(others, (one) => `:warning: ${otherText(one, words)}`),
  ];
}

/**
 * Whether another delegation has somebody else stand in for the same work, or is one of the very same work. A general one
 * is of all work.
 */
function addsTo({ categoryIds: own, delegates }: Delegation, other: Delegation): boolean {
  const others = other.categoryIds;
  if (own.length === others.length && own.every((id) => others.includes(id))) return true;
  const shared = own.length === 0 || others.length === 0 || own.some((id) => others.includes(id));
  return shared && other.delegates.some((one) => !delegates.includes(one));
}

function otherText({ delegator, delegates, categoryIds, start, end }: Delegation, words: Words): string {
  const verb = delegates.length > 1 ? 'stand' : 'stands';
  const period = spanText({ from: start, until: end }, words);
  return `${peopleText(delegates, words)} ${verb} in for *${words.person(delegator)}* as well: ${categoriesText(categoryIds, words)}, ${period}.`;
}
