import { describe } from '#jest';
import { reportingCases } from '../../contract/reporting-cases.ts';
import { caseReporting } from '../../support/case-reporting.ts';

describe('our own engine', () => {
  reportingCases(async () => ({ reporting: caseReporting(), close: async () => {} }));
});
