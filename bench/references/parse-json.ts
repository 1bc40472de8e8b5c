import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ownJob, peakMb, tellFound } from '../measure.ts';

/** `JSON.parse` of files, one after the other, and nothing else; reading them is in it. */
const files = z.array(z.string()).parse(ownJob());
const began = performance.now();
const before = process.cpuUsage();
let parsed = 0;
for (const file of files) parsed += Array.from(JSON.parse(readFileSync(file, 'utf8'))).length;
const { user, system } = process.cpuUsage(before);
if (parsed === 0) throw new Error('Nothing to parse.');
tellFound({ ms: performance.now() - began, cpuMs: (user + system) / 1_000, peakMb: peakMb() });
