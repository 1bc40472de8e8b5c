import { setPriority } from 'node:os';
import { ownJob, tellFound } from '../measure.ts';
import { askServer } from './ask-server.ts';
import { askedReports } from './asked.ts';

/**
 * Each principal asks one report after the other for a while. They are on this machine although no client of a server is:
 * what it takes to read the answers is not to keep the server waiting.
 */
setPriority(19);
const { url, tokens, requests, forMs } = askedReports.parse(ownJob());

const end = performance.now() + forMs;
await Promise.all(
  tokens.map(async (token, principal) => {
    for (let turn = principal; performance.now() < end; turn += 1) {
      const request = requests[turn % requests.length];
      if (request === undefined) return;
      const { ms, status, text } = await askServer(url, token, request);
      tellFound({ ms, fault: status < 400 ? null : `${request[0]} answered ${status}: ${text}` });
    }
  }),
);
