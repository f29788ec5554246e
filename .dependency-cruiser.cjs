/** Who may import whom. The folders are the architecture; this file is what keeps them honest. */
const MODULE = '^src/modules/([^/]+)/';

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'platform-knows-no-commerce',
      comment: 'The platform serves modules and never asks them.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(modules|channels|providers|demo|cli|app|server|settings|main)' },
    },
    {
      name: 'modules-meet-at-the-door',
      comment: "Another module's index.ts is all that may be imported of it.",
      severity: 'error',
      from: { path: MODULE, pathNot: '\\.test\\.ts$' },
      to: { path: MODULE, pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index\\.ts$'] },
    },
    {
      name: 'outsiders-use-the-door',
      comment: 'The frame around the modules enters through index.ts too.',
      severity: 'error',
      from: { path: '^src/(app|server|settings|main|cli|demo)' },
      to: { path: MODULE, pathNot: '^src/modules/[^/]+/index\\.ts$' },
    },
    {
      name: 'rules-know-no-http',
      comment: 'Routes call rules, rules call SQL; never back.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: ['/index\\.ts$', '\\.test\\.ts$', 'routes\\.ts$'] },
      to: { path: '^src/modules/.*routes\\.ts$' },
    },
    {
      name: 'sql-is-the-floor',
      comment: 'Statements lean on the platform and on plain tables, not on rules.',
      severity: 'error',
      from: { path: ['^src/modules/.*/sql/', '^src/modules/.*sql\\.ts$'], pathNot: '\\.test\\.ts$' },
      to: { path: '^fastify$' },
    },
    {
      name: 'service-needs-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.ts$', '\\.(fixture|contract)\\.ts$', '/testing/', 's3-test-server'] },
      to: { path: ['^test/', '^bench/', '\\.test\\.ts$', '/testing/'] },
    },
    {
      name: 'no-dev-packages-in-the-service',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.ts$', '\\.(fixture|contract)\\.ts$', '/testing/', 's3-test-server'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // TypeScript 7 has no API that this tool can use yet.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
