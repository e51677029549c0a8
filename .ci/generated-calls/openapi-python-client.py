import importlib
import os
import pkgutil

import opc
from opc.api.commerce import create_product
from opc.client import AuthenticatedClient
from opc.models import CreateProductBody

for module in pkgutil.walk_packages(opc.__path__, "opc."):
    importlib.import_module(module.name)

client = AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_KEY"])
created = create_product.sync(client=client, body=CreateProductBody(name="A course"))
print("called", created.data.id)
