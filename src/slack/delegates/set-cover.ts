import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { DelegationApi } from '../../api/delegations/delegation-api.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { Category, CategoryId, Coverage, Delegation, DelegationInput } from '../../model/delegation.ts';
import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { ModalAnswer, Place } from '../app/handler-types.ts';
import {
  categoriesText,
  namesOf,
  someLines,
  type Words,
  withZone,
  wordsAnywhere,
  wordsIn,
} from '../app/message-texts.ts';
import type { DelegationParts, PeopleParts, SlackParts } from '../app/parts.ts';
import type { Member } from '../people/accounts.ts';
import { recognize } from '../people/recognize.ts';
import { awayTooText, uncoveredText } from './cover-message.ts';
import { notifyBothSides } from './cover-news.ts';
import { delegationLine, peopleText, spanText } from './cover-words.ts';
import { listAll } from './own-cover.ts';

/**
 * Sets what a form asks for, tells both sides, and warns of what else is known of that time. What is wrong is an
 * AppError, and then nothing is set, unless it is an unknown outcome.
 */
export async function setCover(
  member: Member,
  { form, categories }: { readonly form: DelegationForm; readonly categories: readonly Category[] },
  parts: DelegationParts,
): Promise<ModalAnswer> {
  const { delegations, people } = parts;
  const accounts = new Map<string, string>();
  const userOf = async (account: string): Promise<User> => {
    const user = account === member.account ? member.user : await knownUser(account, member, parts);
    accounts.set(user.id, account);
    return user;
  };
  const delegator = await userOf(form.delegator ?? member.account);
  const delegates: User[] = [];
  for (const account of form.delegates) delegates.push(await userOf(account));
  refuseOdd(delegator, delegates);
  // Whatever may fail comes before, so that a failure means that nothing is set.
  const users = await people.users();
  const names = namesOf(users, categories);
  const wish = {
    active: true,
    delegator: delegator.id,
    delegates: delegates.map(({ id }) => id),
    categoryIds: form.categoryIds,
    start: form.from,
    end: form.to,
    notes: form.notes,
  };
  const delegation = await setCoverOnce(member.principal, wish, delegations);
  const by = member.user.id;
  const { principal, timeZone } = member;
  const words = wordsIn(timeZone, parts.now(), names);
  const set = `Set: ${delegationLine(delegation, parts.now(), words)}`;
  const answer = (...lines: readonly string[]) => withZone(lineBlocks([set, ...lines]), timeZone);
  const news = { delegation, event: 'set', by, accounts, users, words: wordsAnywhere(names) } as const;
  const told = Promise.all([warnOf(delegation, { principal, words }, parts), notifyBothSides(news, parts)]);
  // Slack may take half a minute for that.
  return {
    ...answer('Telling both sides…'),
    later: told.then(([warnings, line]) => answer(...warnings, line)),
  };
}

/** Several accounts may be one user's, which the form cannot see. */
function refuseOdd(delegator: User, delegates: readonly User[]): void {
  const ids = delegates.map(({ id }) => id);
  if (ids.includes(delegator.id)) throw badRequest(`${delegator.name} cannot stand in for themselves.`);
  const twice = delegates.find(({ id }, i) => ids.indexOf(id) < i);
  if (twice !== undefined) throw badRequestAs('conflicting-values', `${twice.name} is named twice.`);
}

async function knownUser(account: string, { hasAdmins }: Member, parts: PeopleParts): Promise<User> {
  const found = await recognize(account, parts);
  if (found.kind === 'known') return found.user;
  const { name } = await parts.accounts.profileOf(account);
  const because =
    found.kind === 'several' ? 'Several people there have the same e-mail address.' : found.because;
  throw new AppError('unknown-person', `I do not know who ${name} is in the tracker.`, [
    because,
    hasAdmins
      ? 'They can say it themselves with /delegates link, or an admin with /delegates link @them USERNAME.'
      : `They can say it themselves with /delegates link, or it is said with npm run --silent dwell -- people --link ${account} --to USERNAME.`,
  ]);
}

/**
 * Sets a delegation. Where the register leaves open whether it is saved, the list tells: what is wished stands there
 * and did not before. Where not even that tells it, the failure says what to do, and nobody must try again by chance.
 */
async function setCoverOnce(
  principal: Principal,
  wish: DelegationInput,
  delegations: Pick<DelegationApi, 'create' | 'delegations'>,
): Promise<Delegation> {
  const { delegator } = wish;
  const alike = async () =>
    (await listAll(principal, { delegator }, delegations)).filter((one) => isAsAsked(one, wish));
  const before = new Set((await alike()).map(({ id }) => id));
  try {
    return await delegations.create(principal, wish);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'outcome-unknown') throw error;
    const after = await alike().catch(() => null);
    const made = after?.find(({ id }) => !before.has(id));
    if (made !== undefined) return made;
    const list = delegator === principal.account ? '`/delegates mine`' : `\`/delegates end ${delegator}\``;
    throw new AppError(
      'outcome-unknown',
      error.message,
      [
        after === null ? 'The list cannot be read now either.' : 'The list does not show it so far.',
        `Look at ${list} in a minute: if it is there it holds, and please tell both sides yourself; if not, set it again.`,
      ],
      { cause: error },
    );
  }
}

/** The register tells people in their stored case, and may put categories in an order of its own. */
function isAsAsked(one: Delegation, wish: DelegationInput): boolean {
  const written = ({ delegator, delegates, categoryIds, start, end, notes }: DelegationInput) =>
    JSON.stringify([
      foldedName(delegator),
      delegates.map(foldedName),
      categoryIds.toSorted((a, b) => a - b),
      [start, end],
      notes.replace(/\s+/g, ' ').trim(),
    ]);
  return written(one) === written(wish);
}

/** Whoever hands work over for longer is warned of the first part. */
const MOST_MS = 400 * millisecondsInDay;

/** Warnings about what was just set, from now on. Never fails, for what was set stays set. */
export async function warnOf(
  delegation: Delegation,
  { principal, words }: { readonly principal: Principal; readonly words: Words },
  { delegations, now, log }: Pick<SlackParts, 'delegations' | 'now' | 'log'>,
): Promise<readonly string[]> {
  const minute = Math.floor(now() / millisecondsInMinute) * millisecondsInMinute;
  const from = Math.max(delegation.start, minute);
  const until = Math.min(delegation.end, from + MOST_MS);
  try {
    return setWarnings(delegation, await delegations.coverage(principal, { from, until }), words);
  } catch (error) {
    log.warn({ err: error }, 'what was set could not be looked at for warnings');
    return ['Whether somebody is away too could not be looked up; `/delegates week` tells it.'];
  }
}

/**
 * What somebody ought to know who has set a delegation, from what is known of its time: when nobody is left,
 * whose delegate is away too, and who else stands in. Expects escaped words.
 */
function setWarnings(delegation: Delegation, coverage: Coverage, words: Words): readonly string[] {
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

/** What the form in which work is handed over holds; people are accounts. */
export interface DelegationForm {
  readonly place: Place;
  /** Whose work it is; null where the form does not ask, for it is that of who fills it in. */
  readonly delegator: string | null;
  readonly delegates: readonly string[];
  readonly from: Instant;
  readonly to: Instant;
  readonly categoryIds: readonly number[];
  readonly notes: string;
}
