import { expect, test } from '#jest';
import { createPoller } from '../../src/concurrency/poller.ts';
import { asActor, currentActor, inRequest, newRequest } from '../../src/concurrency/request-scope.ts';
import type { Actor } from '../../src/model/audit.ts';

test("work for everyone is not that of the one whose request it begins with, but the clock's", async () => {
  const actors: Actor[] = [];
  const poller = createPoller({ poll: async () => void actors.push(currentActor()), onProblem: () => {} });
  await inRequest(newRequest('http', 'r1'), () =>
    asActor({ account: 'eve', via: 'rest', tokenId: 't1' }, () => poller.tick()),
  );
  expect(actors).toEqual([{ account: null, via: 'clock', tokenId: null, requestId: null }]);
});
