import type { FileFormat } from '../workbook.ts';
import { csv, csvZip } from './csv.ts';
import { json } from './json.ts';
import { xls } from './xls.ts';
import { xlsx } from './xlsx.ts';

/** Every kind of file that is written. */
export const fileFormats: readonly FileFormat[] = [csv, csvZip, json, xls, xlsx];
