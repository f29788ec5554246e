type DemoService = {
  code: string;
  name_en: string;
  name_ar: string;
  description: string;
  price_sar: number;
  billing_cycle: 'once' | 'monthly' | 'yearly';
  is_active?: boolean;
  metadata: Record<string, unknown>;
  apps: readonly string[];
  quantity: number;
};

/** What the operator of the demo sells besides branches, and the apps that it is sold with. */
export const SERVICES: readonly DemoService[] = [
  {
    code: 'COUNTER-SYNC',
    name_en: 'Counter sync',
    name_ar: 'مزامنة نقاط البيع',
    description: 'Menu, stock and prices of the point of sale, in both directions',
    price_sar: 149,
    billing_cycle: 'monthly',
    metadata: { product: 'connectors' },
    apps: ['foodics'],
    quantity: 1,
  },
  {
    code: 'DELIVERY-PRO',
    name_en: 'Delivery apps, priority support',
    name_ar: 'تطبيقات التوصيل، المسار السريع',
    description: 'Status updates within a second and a person on the phone at dinner time',
    price_sar: 199.5,
    billing_cycle: 'monthly',
    metadata: { product: 'connectors', support: 'phone' },
    apps: ['jahez', 'hungerstation'],
    quantity: 1,
  },
  {
    code: 'MARKETPLACE-FEED',
    name_en: 'Marketplace feed',
    name_ar: 'تغذية السوق الإلكتروني',
    description: 'Listings and stock for marketplaces, kept in step by night',
    price_sar: 1800,
    billing_cycle: 'yearly',
    metadata: { product: 'connectors' },
    apps: ['amazon-sp'],
    quantity: 1,
  },
  {
    code: 'ONBOARDING',
    name_en: 'Web store onboarding',
    name_ar: 'تهيئة المتجر الإلكتروني',
    description: 'Catalog, pictures and first orders, set up together in two days',
    price_sar: 750,
    billing_cycle: 'once',
    metadata: { product: 'people' },
    apps: ['salla'],
    quantity: 1,
  },
  {
    code: 'CLASSIC-REPORTS',
    name_en: 'Monthly reports by email',
    name_ar: 'تقارير شهرية بالبريد',
    description: 'Replaced by the dashboard; no longer offered',
    price_sar: 60,
    billing_cycle: 'monthly',
    is_active: false,
    metadata: { replaced_by: 'dashboard' },
    apps: [],
    quantity: 1,
  },
];

/** In the order of the shops that they brought. The accounts are those of textbooks. */
export const PARTNERS = [
  {
    name: 'Rawabi Systems',
    erp: 'Odoo',
    ratePercent: '12.5',
    payee: { name: 'Fahad Al-Otaibi', email: 'fahad@rawabi.example', iban: 'SA0380000000608010167519' },
  },
  {
    name: 'Sahara Retail Tech',
    erp: 'SAP Business One',
    ratePercent: '10',
    payee: { name: 'Mona Haddad', email: 'mona@sahara.example', iban: 'AE070331234567890123456' },
  },
] as const;

export const POSTS = [
  {
    title_en: 'Winter season: plan your stock early',
    title_ar: 'موسم الشتاء: خطط لمخزونك مبكرا',
    body_en:
      'Last year, orders of cold medicine and hot drinks doubled within a week. Forecasts now look 90 days ahead.',
    body_ar: 'في العام الماضي تضاعفت طلبات أدوية البرد والمشروبات الساخنة خلال أسبوع. التوقعات تمتد الآن إلى 90 يوما.',
    daysAgo: 9,
    days: 60,
    onlyFirstShop: false,
  },
  {
    title_en: 'E-invoices carry the new QR code',
    title_ar: 'الفواتير الإلكترونية برمز QR الجديد',
    body_en: 'Nothing to do on your side: every invoice issued at the till has it.',
    body_ar: 'لا يلزمك أي إجراء: كل فاتورة تصدر من نقطة البيع تحمله.',
    daysAgo: 30,
    days: null,
    onlyFirstShop: false,
  },
  {
    title_en: 'Your account manager is Huda',
    title_ar: 'مديرة حسابكم هدى',
    body_en: 'She knows pharmacies, and answers from Sunday to Thursday between 9:00 and 17:00.',
    body_ar: 'خبيرة بالصيدليات، وترد من الأحد إلى الخميس بين 9:00 و17:00.',
    daysAgo: 3,
    days: 90,
    onlyFirstShop: true,
  },
] as const;

export const RECEIPT_LINES = ['Bank transfer to Sahara Retail Tech', 'Made for the demo'] as const;

export const DOCUMENTED_SERVICE = 'COUNTER-SYNC';
export const SERVICE_DOCUMENTS = [
  { name: 'counter-sync.pdf', lines: ['Counter sync: what it does', 'Made for the demo'] },
  { name: 'counter-sync-prices-2025.pdf', lines: ['Counter sync: prices of 2025', 'Made for the demo'] },
] as const;
