import { writeSync } from 'node:fs';
import { asActor } from '../../src/concurrency/request-scope.ts';
import { openTestStore } from './open-test-store.ts';

/** A process that makes one token after the other, of two kinds of documents at once, and prints what resolved, until it is killed. */
const [dataDir = ''] = process.argv.slice(2);
const store = await openTestStore(dataDir);

async function changeOn(kind: 'stays' | 'goes'): Promise<void> {
  for (let number = 1; ; number += 1) {
    const id = `${kind} ${number}`;
    const token = { id, user: 'ada', admin: false, createdAt: 1, expiresAt: 2, active: true };
    await store.tokens.change(id, () => token);
    writeSync(1, `token.created ${id}\n`);
    if (kind === 'stays') continue;
    await store.audit.add([{ subject: { kind: 'answer', id }, verb: 'shared', facts: {} }]);
    writeSync(1, `answer.shared ${id}\n`);
  }
}

await asActor({ account: 'ada', via: 'cli' }, () => Promise.all([changeOn('stays'), changeOn('goes')]));
