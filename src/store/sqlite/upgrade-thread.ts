import { parentPort, workerData } from 'node:worker_threads';
import { upgradeFile } from './open-database.ts';

// The thread that upgrades a file, and posts how far it is.
await upgradeFile(workerData, (progress) => parentPort?.postMessage(progress));
