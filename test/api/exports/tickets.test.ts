import { millisecondsInMinute } from 'date-fns/constants';
import { afterEach, beforeEach, expect, test } from '#jest';
import type { ExportRecord } from '../../../src/model/export.ts';
import { aWish } from '../../support/an-export.ts';
import { anOffice, type Office, refusal } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';

const ada = principalOf('ada');

let office: Office;
let record: ExportRecord;
beforeEach(async () => {
  office = await anOffice();
  office.exports.start({});
  const { id } = await office.exports.queue(aWish());
  record = await office.ended(id);
});
afterEach(() => office.close());

const opening = (ticket: string, { exports }: Office = office) => refusal(exports.fileByTicket(ticket));
const invalid = ['invalid-link', expect.stringContaining('The link is not valid or has expired')];

test('a ticket opens the file it is made for, without a principal, for a quarter of an hour', async () => {
  const ticket = await office.exports.ticket(record, null);
  const { open: _, localPath: __, ...facts } = await office.exports.file(ada, record.id);
  expect(await office.exports.fileByTicket(ticket)).toMatchObject(facts);
  office.clock.now += 15 * millisecondsInMinute - 1_000;
  expect(await opening(ticket)).toBe('none');
  office.clock.now += 1_000;
  expect(await opening(ticket)).toEqual(invalid);
});

test('it tells nothing of what it opens', async () => {
  const ticket = await office.exports.ticket(record, null);
  const parts = ticket.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect([ticket, ...parts].join(' ')).not.toContain(record.id);
});

test('a ticket that was changed, cut, made up, or made elsewhere opens nothing', async () => {
  const ticket = await office.exports.ticket(record, null);
  const [head = '', key = '', iv = '', text = '', tag = ''] = ticket.split('.');
  const turned = (part: string) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
  const false_ = [
    [head, key, iv, turned(text), tag],
    [head, key, iv, text, turned(tag)],
    [head, key, turned(iv), text, tag],
    [turned(head), key, iv, text, tag],
    [head, key, iv, text, ''],
    [head, key, iv],
  ].map((pieces) => pieces.join('.'));
  for (const wrong of [...false_, '', 'nonsense', record.id, `${ticket}.`, 'a.b.c.d.e', '💥']) {
    expect([wrong, await opening(wrong)]).toEqual([wrong, invalid]);
  }
  const elsewhere = await anOffice({ key: 'another secret', dataDir: office.dataDir });
  expect(await opening(await elsewhere.exports.ticket(record, null))).toEqual(invalid);
  await elsewhere.close();
});

test('a token of the REST door is no ticket', async () => {
  const { createTokens } = await import('../../../src/api/people/tokens.ts');
  const tokens = createTokens({ store: office.store, now: () => office.clock.now });
  const token = await tokens.issue({ user: 'ada', admin: true, lifetimeMs: millisecondsInMinute });
  expect(await opening(token)).toEqual(invalid);
});

test('a ticket of an export without a file says why there is none', async () => {
  await office.exports.stop(1_000);
  const waiting = await office.exports.queue(aWish());
  const ticket = await office.exports.ticket(waiting, null);
  expect(await opening(ticket)).toEqual([
    'no-export-file',
    'The export is not completed: it is still being processed.',
  ]);
  expect(await opening(await office.exports.ticket({ ...record, id: 'forgotten' }, null))).toEqual(invalid);
});
