/**
 * Who may import whom. The folders are the architecture; this file is what keeps them honest, and test/walls breaks each
 * rule once to see it hold. Packages resolve to paths under node_modules, so a rule about one has to say so.
 */
const MODULE = '^src/modules/(commercial/[^/]+|[^/]+)/';
const TESTS = ['\\.test\\.tsx?$', '/testing/'];
const SQL = ['^src/modules/(commercial/)?[^/]+/sql/', '^src/modules/(commercial/)?[^/]+/sql\\.ts$'];
const BEHIND_A_DOOR = ['^src/modules/(commercial/)?[^/]+/index\\.ts$'];

/**
 * Files of a module that hold words, numbers and pure functions which its statements need as well. They lean on nothing
 * but each other and the platform's text, so a statement that uses one reaches no rule by way of it.
 */
const PURE_TABLES = [
  '^src/modules/branches/(fields|geo|opening|working-hours)\\.ts$',
  '^src/modules/orders/order-fields\\.ts$',
  '^src/modules/events/(event-types|outbox-entry)\\.ts$',
  '^src/modules/products/product\\.ts$',
  '^src/modules/webhooks/delivery\\.ts$',
];

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
      from: { path: '^src/platform/', pathNot: TESTS },
      to: { path: '^src/(?!platform/)' },
    },
    {
      name: 'modules-meet-at-the-door',
      comment: "Another module's index.ts is all that may be imported of it.",
      severity: 'error',
      from: { path: MODULE, pathNot: TESTS },
      to: { path: MODULE, pathNot: ['^src/modules/$1/', ...BEHIND_A_DOOR] },
    },
    {
      name: 'outsiders-use-the-door',
      comment: 'The frame around the modules enters through index.ts too.',
      severity: 'error',
      from: { path: '^src/(?!modules/)', pathNot: TESTS },
      to: { path: MODULE, pathNot: BEHIND_A_DOOR },
    },
    {
      name: 'modules-know-no-frame',
      comment: 'What puts the service together knows its modules, never the other way round.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: TESTS },
      to: { path: '^src/(?!modules/|platform/|channels/|providers/)' },
    },
    {
      name: 'rules-know-no-routes',
      comment: 'Routes call rules, rules call SQL; never back.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: ['/index\\.ts$', 'routes\\.ts$', ...TESTS] },
      to: { path: '^src/modules/.*routes\\.ts$' },
    },
    {
      name: 'sql-is-the-floor',
      comment: 'Statements lean on the platform, on each other and on pure tables; types they may take from anywhere.',
      severity: 'error',
      from: { path: SQL, pathNot: TESTS },
      to: {
        dependencyTypesNot: ['type-only'],
        path: ['^src/', 'node_modules/'],
        pathNot: [
          '^src/platform/(database|text)/',
          '^src/platform/[^/]+\\.ts$',
          '^src/platform/http/paging\\.ts$',
          ...SQL,
          ...PURE_TABLES,
        ],
      },
    },
    {
      name: 'pure-tables-stay-pure',
      comment: 'What statements may import must not lead them back to the rules.',
      severity: 'error',
      from: { path: PURE_TABLES },
      to: { dependencyTypesNot: ['type-only'], pathNot: [...PURE_TABLES, '^src/platform/text/'] },
    },
    {
      name: 'billing-and-identity-know-no-commercial',
      comment: 'The ground does not know what is built on it.',
      severity: 'error',
      from: { path: '^src/modules/(commercial/billing|identity)/' },
      to: { path: '^src/modules/commercial/fleet/' },
    },
    {
      name: 'the-forecast-stands-alone',
      comment: 'Numbers in, numbers out: no database, no clock, no package.',
      severity: 'error',
      from: { path: '^src/modules/analytics/forecast/', pathNot: TESTS },
      to: { pathNot: '^src/modules/analytics/forecast/' },
    },
    {
      name: 'vendors-speak-through-their-contract',
      comment: 'A channel or provider translates: its contract, money, calls outwards and signatures are all it needs.',
      severity: 'error',
      from: { path: '^src/(channels|providers)/([^/]+)/', pathNot: ['^src/(channels|providers)/contract/', ...TESTS] },
      to: {
        pathNot: [
          '^src/$1/$2/',
          '^src/$1/contract\\.ts$',
          '^src/platform/money(\\.ts$|/)',
          '^src/platform/(in|out)bound/index\\.ts$',
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'vendors-are-found-in-the-list',
      comment: 'Nobody outside names a vendor: list.ts does, and contract.ts says what each of them can do.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(channels|providers)/', ...TESTS] },
      to: { path: '^src/(channels|providers)/', pathNot: '^src/(channels|providers)/(list|contract)\\.ts$' },
    },
    {
      name: 'the-list-names-vendors-only',
      comment: 'list.ts and contract.ts are the two files in front of the vendors and need nothing else either.',
      severity: 'error',
      from: { path: '^src/(channels|providers)/([^/]+\\.ts$|contract/)', pathNot: TESTS },
      to: {
        pathNot: [
          '^src/$1/([^/]+/index|contract)\\.ts$',
          '^src/(channels|providers)/contract(\\.ts$|/)',
          '^src/platform/money(\\.ts$|/)',
          '^src/platform/(in|out)bound/index\\.ts$',
        ],
      },
    },
    {
      name: 'features-never-meet',
      comment: 'Two pages of the console that share something share it through ui, charts or platform.',
      severity: 'error',
      from: { path: '^console/src/features/([^/]+)/' },
      to: { path: '^console/src/features/', pathNot: '^console/src/features/$1/' },
    },
    {
      name: 'features-stand-on-the-ground',
      comment:
        'Besides packages: ui, charts, platform, the dictionaries, and the SDK for everything the service knows.',
      severity: 'error',
      from: { path: '^console/src/features/', pathNot: TESTS },
      to: {
        path: '^(console|sdk|src|test|bench|scripts)/',
        pathNot: ['^console/src/(features|ui|charts|platform|i18n)/', '^sdk/src/'],
      },
    },
    {
      name: 'the-ground-knows-no-features',
      severity: 'error',
      from: { path: '^console/src/(ui|charts|platform|i18n)/', pathNot: TESTS },
      to: { path: '^console/src/(?!ui/|charts/|platform/|i18n/)' },
    },
    {
      name: 'the-console-knows-no-service',
      comment: 'It is a client like any other.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { path: '^(src|bench|scripts|migrations)/' },
    },
    {
      name: 'the-sdk-needs-nothing',
      comment: 'It runs wherever there is fetch: no package, nothing of Node, nothing of ours.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: TESTS },
      to: { pathNot: '^sdk/src/' },
    },
    {
      name: 'the-service-knows-no-client',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: '^console/' },
    },
    {
      name: 'service-needs-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: ['^test/', '^bench/', ...TESTS] },
    },
    {
      name: 'no-dev-packages-in-the-service',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
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
    // Broken on purpose.
    exclude: { path: ['^test/walls/fixtures/', '^console/dist/'] },
    // TypeScript 7 has no API that this tool can use yet.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['dukkan-source', 'import', 'node', 'default', 'types'],
    },
  },
};
