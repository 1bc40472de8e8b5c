import type { SectionBlock } from '@slack/types';
import { endOnce, listActive } from '../../api/delegations/save-once.ts';
import type { Message } from '../../block-kit/message.ts';
import { button, codeText, context, section, shorten } from '../../block-kit/mrkdwn.ts';
import type { Delegation } from '../../model/delegation.ts';
import { plainText } from '../app/form-blocks.ts';
import type { SlackAction, SlashCommand } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { capitalized } from '../app/show-failure.ts';
import { identify } from '../people/identify.ts';
import { notifyBothSides } from './cover-news.ts';
import {
  admit,
  boldText,
  type CoverWords,
  coverNoun,
  coverText,
  coverWords,
  everyoneText,
  plainWords,
  type ReaderFacts,
  readerFacts,
  suggest,
} from './cover-words.ts';
import { nameToType, readParties } from './read-cover.ts';

/** `/delegates end`: what can be ended, each with a button; with a person only their cover. */
export const delegatesEnd: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'end',
  usage: '/delegates end [@PERSON] [for @PERSON]',
  summary: 'end a cover early; both sides are notified',
  async answer(asked, parts) {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member, right } = admitted;
    const { delegations } = parts;
    const options = { line: '/delegates end', isRest: () => false };
    const read = await readParties(asked.text, admitted, options, parts);
    if ('refusal' in read) return [read.refusal];
    const { delegate, rest, line } = read;
    if (rest !== '') return [suggest(`I don't understand ${codeText(rest)} here.`, line)];
    const owner = read.owner.user;
    const all = await listActive(member.principal, { delegator: owner.id }, delegations);
    const found = delegate === null ? all : all.filter((one) => one.delegates.includes(delegate.user.id));
    const facts = await readerFacts(member, parts);
    if (found.length > 0) return [endList(found, facts)];
    const words = coverWords(facts);
    const who = boldText(owner.id, words);
    if (delegate === null)
      return [suggest(`No one covers for ${who}.`, line.replace('end', 'set'), 'Set cover')];
    const name = `*${words.person(delegate.user.id)}*`;
    const none = `${name} doesn't cover for ${who}.`;
    // The other way round is easily meant.
    const others = await listActive(member.principal, { delegate: owner.id }, delegations);
    const reverse = others.find(({ delegator }) => delegator === delegate.user.id);
    if (reverse === undefined) return [suggest(none, '/delegates end', 'All cover')];
    const both = `${none} ${coverText({ ...reverse, notes: '' }, words)}.`;
    const turned = `/delegates end ${nameToType(owner, facts.users)} for ${nameToType(delegate.user, facts.users)}`;
    return right === 'edit'
      ? [suggest(both, turned, 'End that')]
      : [notice(both, `Only ${name} or an admin can end that.`)];
  },
};

/** A message takes about thirteen thousand characters; what the buttons ask counts as well. */
const ROWS = 20;
const MOST_CHARACTERS = 11_000;

/** What can be ended, by its start; of one alone the question itself. */
export function endList(found: readonly Delegation[], facts: ReaderFacts): Message {
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) {
    const text = endQuestion(only, coverWords(facts));
    return { text, blocks: [{ ...section(text), accessory: endButton('End cover', only) }] };
  }
  const lead = '*Which cover do you want to end?*';
  let characters = 0;
  const rows = coverRows(found.slice(0, ROWS), facts).filter((row) => {
    characters += JSON.stringify(row).length;
    return characters < MOST_CHARACTERS;
  });
  const more = `… and ${found.length - rows.length} later. Add a person to see theirs: \`/delegates end @PERSON\``;
  return {
    text: [lead, ...rows.map((row) => row.text?.text ?? '')].join('\n'),
    blocks: [section(lead), ...rows, ...(found.length > rows.length ? [context(more)] : [])],
  };
}

/** Covers, each with a button that asks before it ends it. */
export function coverRows(delegations: readonly Delegation[], facts: ReaderFacts): readonly SectionBlock[] {
  const [words, plain] = [coverWords(facts), plainWords(facts)];
  return delegations.map((one) => ({
    ...section(coverText(one, words)),
    accessory: {
      ...endButton('End', one),
      confirm: {
        title: plainText('End cover?'),
        text: plainText(shorten(endQuestion(one, plain), QUESTION_LENGTH)),
        confirm: plainText('End cover'),
        deny: plainText('Keep it'),
        style: 'danger',
      },
    },
  }));
}

/** More a dialog does not take; the categories are left out before the dates are. */
const QUESTION_LENGTH = 300;

function endQuestion(one: Delegation, words: CoverWords): string {
  const ask = (about: Delegation) => `End ${coverNoun(about, words)}? ${everyoneText(one)} will be notified.`;
  const full = ask(one);
  return full.length > QUESTION_LENGTH ? ask({ ...one, categoryIds: [] }) : full;
}

function endButton(title: string, { id }: Delegation) {
  return { ...button(title, 'end-delegation', String(id)), style: 'danger' } as const;
}

/** *End cover*; its value is the id. A second click reads that it has ended already. */
export const endDelegation: SlackAction<DelegationParts> = {
  id: 'end-delegation',
  async run(click, parts) {
    const identified = await identify(click, parts);
    if ('refusal' in identified) return [identified.refusal];
    const { member } = identified;
    const facts = await readerFacts(member, parts);
    const { before, delegation } = await endOnce(member.principal, Number(click.value), parts);
    const noun = capitalized(coverNoun(before, coverWords(facts)));
    if (delegation === null) return [notice(`${noun} has already ended.`)];
    const event = delegation.active ? 'ended' : 'canceled';
    const ended = { ...before, end: delegation.end };
    const notified = await notifyBothSides({ delegation: ended, event, by: member.user.id, facts }, parts);
    return [notice(`${noun} ${event === 'ended' ? 'has ended' : 'is canceled'}.`, notified)];
  },
};
