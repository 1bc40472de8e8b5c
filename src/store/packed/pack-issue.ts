import type { Change, FieldContent, FieldValue, Issue } from '../../model/issue.ts';
import type { IssueTerms } from './issue-terms.ts';
import { ByteWriter, contentAs, has, SAME_AS_ALL, sameAs, textAs, valueAs } from './packed-bytes.ts';

/** Packs an issue into bytes that are good until the next one is packed. */
export type PackIssue = (issue: Issue) => Uint8Array;

export function createIssuePacker(terms: IssueTerms): PackIssue {
  const whole = new ByteWriter();
  const head = new ByteWriter();
  const fields = new ByteWriter();
  const changes = new ByteWriter();
  return (issue) => {
    for (const writer of [whole, head, fields, changes]) writer.clear();
    terms.about(issue.key);
    writeHead(head, issue, terms);
    writeFields(fields, issue, terms);
    writeChanges(changes, issue, terms);
    whole.double(issue.created);
    whole.near(issue.updated, issue.created);
    whole.count(partsOf(issue));
    for (const part of [head, fields]) whole.count(part.bytes.length);
    for (const part of [head, fields, changes]) whole.append(part);
    return whole.bytes;
  };
}

function partsOf({ id, link, resolved, assignee, history }: Issue): number {
  return (
    (id === undefined ? 0 : has.id) +
    (link === undefined ? 0 : has.link) +
    (resolved === null ? 0 : has.resolved) +
    (assignee === null ? 0 : has.assignee) +
    (history.complete ? has.wholeHistory : 0)
  );
}

function writeHead(writer: ByteWriter, issue: Issue, terms: IssueTerms): void {
  const { id, key, project, summary, created, resolved, status, assignee, history, link } = issue;
  writeKey(writer, key, terms);
  writeValue(writer, project, terms);
  writeValue(writer, status, terms);
  if (assignee !== null) writeValue(writer, assignee, terms);
  if (resolved !== null) writer.near(resolved, created);
  if (!history.complete) {
    writeInstant(writer, history.unknownFrom, created);
    writeInstant(writer, history.unknownUntil, created);
    writeText(writer, history.reason, terms);
  }
  if (id !== undefined) writeText(writer, id, terms);
  writeText(writer, summary, terms);
  if (link !== undefined) writeLink(writer, link, key, terms);
}

/** Most are a project's key and a number. */
function writeKey(writer: ByteWriter, key: string, terms: IssueTerms): void {
  const dash = key.lastIndexOf('-');
  const number = key.slice(dash + 1);
  const isUsual = dash >= 0 && isDigits(number);
  writer.count(isUsual ? Number(number) + 1 : 0);
  writeText(writer, isUsual ? key.slice(0, dash) : key, terms);
}

/** Most end with the key. */
function writeLink(writer: ByteWriter, link: string, key: string, terms: IssueTerms): void {
  const isUsual = link.endsWith(key);
  writer.count(Number(isUsual));
  writeText(writer, isUsual ? link.slice(0, link.length - key.length) : link, terms);
}

function writeInstant(writer: ByteWriter, instant: number | null, created: number): void {
  writer.count(Number(instant !== null));
  if (instant !== null) writer.near(instant, created);
}

function writeFields(writer: ByteWriter, issue: Issue, terms: IssueTerms): void {
  const ids = Object.keys(issue.fields);
  const list = terms.fields.numberOf(ids);
  writer.count(list === null ? 0 : list + 1);
  if (list === null) {
    writer.count(ids.length);
    for (const id of ids) writeText(writer, id, terms);
  }
  for (const id of ids) writeContent(writer, issue.fields[id] ?? null, issue, terms);
}

function writeContent(writer: ByteWriter, content: FieldContent, issue: Issue, terms: IssueTerms): void {
  if (content === null) writer.count(contentAs.none);
  else if (typeof content === 'string') {
    writer.count(content === issue.summary ? contentAs.summary : contentAs.text);
    if (content !== issue.summary) writeText(writer, content, terms);
  } else if (typeof content === 'number') {
    const known = knownInstant(content, issue);
    writer.count(known ?? contentAs.number);
    if (known === null) writer.number(content);
  } else if ('length' in content) {
    writer.count(contentAs.list);
    writer.count(content.length);
    for (const value of content) writeValue(writer, value, terms);
  } else {
    const term = terms.values.numberOf(content);
    writer.count(term === null ? contentAs.value : contentAs.term + term);
    if (term === null) writeNames(writer, content, terms);
  }
}

function knownInstant(number: number, { created, updated, resolved }: Issue): number | null {
  // Instants are never −0, and a field may be.
  if (number === 0) return null;
  if (number === created) return contentAs.created;
  if (number === updated) return contentAs.updated;
  return number === resolved ? contentAs.resolved : null;
}

function writeChanges(writer: ByteWriter, { created, changes }: Issue, terms: IssueTerms): void {
  writer.count(changes.length);
  let before: Pick<Change, 'entry' | 'item' | 'at' | 'by'> = { entry: '', item: -1, at: created, by: null };
  let digits = 0;
  for (const change of changes) {
    const { entry, item, at, field, from, to, by } = change;
    const isSameEntry = entry === before.entry;
    const isNextItem = item === (isSameEntry ? before.item + 1 : 0) && !Object.is(item, -0);
    const same =
      (isSameEntry ? sameAs.entry : 0) +
      (at === before.at ? sameAs.at : 0) +
      (by === before.by ? sameAs.by : 0) +
      (isNextItem ? sameAs.item : 0);
    const term = terms.changedFields.numberOf(field);
    writer.count((term === null ? 0 : term + 1) * SAME_AS_ALL + same);
    if (term === null) writeText(writer, field, terms);
    if (!isSameEntry && isDigits(entry)) {
      // Numbers of entries rise slowly.
      writer.count(textAs.digits);
      writer.number(Number(entry) - digits);
      digits = Number(entry);
    } else if (!isSameEntry) writeText(writer, entry, terms);
    if (!isNextItem) writer.number(item);
    if (at !== before.at) writer.near(at, before.at);
    if (by !== before.by) writeTextOrNull(writer, by, terms);
    writeValue(writer, from, terms);
    writeValue(writer, to, terms);
    before = change;
  }
}

function writeValue(writer: ByteWriter, value: FieldValue | null, terms: IssueTerms): void {
  if (value === null) {
    writer.count(valueAs.none);
    return;
  }
  const term = terms.values.numberOf(value);
  writer.count(term === null ? valueAs.itself : valueAs.term + term);
  if (term === null) writeNames(writer, value, terms);
}

function writeNames(writer: ByteWriter, { id, name }: FieldValue, terms: IssueTerms): void {
  writeText(writer, id, terms);
  writeText(writer, name, terms);
}

function writeTextOrNull(writer: ByteWriter, text: string | null, terms: IssueTerms): void {
  if (text === null) writer.count(0);
  else writeText(writer, text, terms, 1);
}

/** `shift` leaves room below for other beginnings. */
function writeText(writer: ByteWriter, text: string, terms: IssueTerms, shift = 0): void {
  if (isDigits(text)) {
    writer.count(textAs.digits + shift);
    writer.count(Number(text));
    return;
  }
  const term = terms.texts.numberOf(text);
  if (term !== null) {
    writer.count(textAs.term + term + shift);
    return;
  }
  const wide = isWide(text);
  writer.count((wide ? textAs.wide : textAs.narrow) + shift);
  writer.text(text, wide);
}

/** A double is exact to this many digits. */
const MAX_DIGITS = 15;
const ZERO = 0x30;
const NINE = 0x39;

/** A number from 0 on, written as one writes it. */
function isDigits(text: string): boolean {
  if (text.length === 0 || text.length > MAX_DIGITS) return false;
  if (text.length > 1 && text.charCodeAt(0) === ZERO) return false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

const LAST_NARROW = 0xff;

function isWide(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > LAST_NARROW) return true;
  return false;
}
